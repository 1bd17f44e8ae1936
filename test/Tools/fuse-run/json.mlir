// One JSON object with everything that the text has.

// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{check} = %python %S/Inputs/report.py

// RUN: %python %S/Inputs/npy.py %t/x.npy '<f4' 2x2 1 2 -4 0.5
// RUN: fuse-run %s --target=reference --entry=graph --json --shape=n:7 --input=x=%t/x.npy > %t/plain.json
// RUN: %{check} < %t/plain.json \
// RUN:   'set(r) == {"file", "entry", "target", "seed", "judged", "inputs", "kernels", "compile_seconds", "outputs", "right"}' \
// RUN:   'r["seed"] == 0 and r["judged"] is False' \
// RUN:   'r["file"].endswith("json.mlir") and r["entry"] == "graph" and r["target"] == "reference" and r["right"] is True' \
// RUN:   '0 < r["compile_seconds"] < 60' \
// RUN:   '[i["name"] for i in r["inputs"]] == ["x", "n", "2"]' \
// RUN:   '[i["type"] for i in r["inputs"]] == ["f32", "index", "i1"]' \
// RUN:   '[i["shape"] for i in r["inputs"]] == [[2, 2], [7], []]' \
// RUN:   'r["inputs"][0]["data"].endswith("x.npy") and r["inputs"][1]["data"] == "--shape" and r["inputs"][2]["data"] == "integers:0:1"' \
// RUN:   '[op for k in r["kernels"] for op in k["ops"]][-4:] == ["fuse.reduce", "arith.divf", "fuse.slice", "fuse.reduce"]' \
// RUN:   'all(set(k) == {"ops", "result", "location"} and k["location"].startswith("json.mlir:") for k in r["kernels"])' \
// RUN:   'len(r["outputs"]) == 3 and [o["type"] for o in r["outputs"]] == ["f32", "f32", "f32"]' \
// RUN:   '[o["shape"] for o in r["outputs"]] == [[2, 2], [2], [2]]' \
// RUN:   'r["outputs"][0]["min"] == 0 and r["outputs"][0]["max"] == 2 and r["outputs"][0]["mean"] == 0.875 and r["outputs"][0]["nan"] == 0' \
// RUN:   'r["outputs"][2]["min"] == "inf" or r["outputs"][2]["max"] == "inf"' \
// RUN:   '[o["name"] for o in r["outputs"]] == ["0", "1", "2"]' \
// RUN:   'not any("verify" in o or "expect" in o for o in r["outputs"])'

// A seed is as large as it may be.
// RUN: fuse-run %s --target=reference --entry=graph --json --shape=n:7 --input=x=%t/x.npy --seed=18446744073709551615 | %{check} 'r["seed"] == 18446744073709551615'

// Comparisons and times appear when they were asked for; the status is the same.
// RUN: fuse-run %s --target=reference --entry=graph --json --shape=n:7 --input=x=%t/x.npy --verify --bench --samples=3 --expect=0=%t/x.npy > %t/full.json; test $? -eq 1
// RUN: %{check} < %t/full.json \
// RUN:   'r["right"] is False' \
// RUN:   'set(r["time_seconds"]) == {"median", "min", "max", "samples", "runs_per_sample", "argument_sets", "warm_ups"} and r["time_seconds"]["samples"] == 3' \
// RUN:   '0 < r["time_seconds"]["min"] <= r["time_seconds"]["median"] <= r["time_seconds"]["max"] < 60' \
// RUN:   'all(o["verify"]["right"] is None and o["verify"]["wrong_elements"] == 0 for o in r["outputs"])' \
// RUN:   'r["outputs"][0]["expect"]["right"] is False and r["outputs"][0]["expect"]["wrong_elements"] == 1' \
// RUN:   'r["outputs"][0]["expect"]["worst_index"] == 2 and r["outputs"][0]["expect"]["got"] == 0 and r["outputs"][0]["expect"]["wanted"] == -4' \
// RUN:   'r["outputs"][0]["expect"]["error"] == 4 and r["outputs"][0]["expect"]["max_error"] == 4' \
// RUN:   'not "expect" in r["outputs"][1]'

// Running op by op is what others are judged by, not judged itself, but bit for
// bit.
// RUN: fuse-run %s --target=reference --entry=rounds --json --verify > %t/float.json
// RUN: %{check} < %t/float.json \
// RUN:   'r["right"] is True and r["judged"] is False and r["outputs"][0]["verify"]["right"] is None' \
// RUN:   'r["outputs"][0]["verify"]["max_error"] == 1 == r["outputs"][0]["verify"]["unfused_max_error"]'
// RUN: fuse-run %s --target=reference --entry=rounds --json --verify=exact > %t/exact.json; test $? -eq 1
// RUN: %{check} < %t/exact.json \
// RUN:   'r["right"] is False and r["judged"] is True and r["outputs"][0]["verify"]["right"] is False' \
// RUN:   'r["outputs"][0]["verify"]["wrong_elements"] == 1 and r["outputs"][0]["verify"]["worst_index"] == 1' \
// RUN:   'r["outputs"][0]["verify"]["got"] == 0 and r["outputs"][0]["verify"]["wanted"] == 1' \
// RUN:   'r["outputs"][1]["verify"]["right"] is True and r["outputs"][1]["verify"]["wrong_elements"] == 0'

// Infinities are strings where JSON has no number for them.
// RUN: fuse-run %s --target=reference --entry=not_numbers --json | %{check} \
// RUN:   'r["outputs"][0]["max"] == "inf" and r["outputs"][0]["min"] == "-inf" and r["outputs"][0]["mean"] == "nan" and r["outputs"][0]["nan"] == 1' \
// RUN:   'r["inputs"] == [] and r["kernels"] == []'

// An error is no JSON and goes to standard error only.
// RUN: fuse-run %s --target=reference --entry=none --json > %t/out 2> %t/err; test $? -eq 3 && test ! -s %t/out && test $(wc -l < %t/err) -eq 1

func.func @graph(%x: tensor<?x2xf32> {fuse.name = "x"}, %n: index {fuse.name = "n"}, %c: tensor<i1>) -> (tensor<?x2xf32>, tensor<?xf32>, tensor<?xf32>) {
  %y = fuse.relu %x : tensor<?x2xf32>
  %s = fuse.reduce min %y dims [1] : tensor<?x2xf32>
  %q = arith.divf %s, %s : tensor<?xf32>
  %e = fuse.slice %y[:, 0:0] : tensor<?x2xf32>
  %m = fuse.reduce min %e dims [1] : tensor<?x0xf32>
  return %y, %s, %m : tensor<?x2xf32>, tensor<?xf32>, tensor<?xf32>
}
func.func @not_numbers() -> tensor<3xf32> {
  %x = arith.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  return %x : tensor<3xf32>
}
// (2^24 + 1) - 2^24 is 0 where 2^24 + 1 is rounded, and 1 where it is not.
func.func @rounds() -> (tensor<2xf32>, tensor<f32>) {
  %x = arith.constant dense<[1.0, 16777216.0]> : tensor<2xf32>
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %0 = arith.addf %x, %one : tensor<2xf32>
  %1 = arith.subf %0, %x : tensor<2xf32>
  %2 = fuse.reduce max %x dims [0] : tensor<2xf32>
  return %1, %2 : tensor<2xf32>, tensor<f32>
}
