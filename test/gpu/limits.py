"""Each limit of check_kernels.py on a row that keeps it and on one that just misses it."""
import check_kernels as check

CODE = {"local": 0, "depot": False, "div_64": 0, "rem_64": 0}
GOOD = {"spill": 0, "stack": 0, "occupancy": 0.5, "limited_by": "registers", "instructions": CODE,
        "load_widths": {"0": [4, 16]}, "store_widths": {"1": [16]}, "wide_loads": ["0"], "wide_stores": ["1"],
        "all_loads_wide": True, "all_stores_wide": True, "has_product": False, "scratch_per_block": 0,
        "loads": {"1": 0, "2": 0, "4": 0, "8": 3, "16": 9, "other": 0},
        "stores": {"1": 0, "2": 0, "4": 0, "8": 0, "16": 9, "other": 0},
        "moved": 11000, "minimum": 10000, "ratio": 1.1, "requested": 22000, "asked": 20000, "metadata": 24,
        "again": 1976}
MISSES = {
    "spill": ({"spill": 4},), "stack": ({"stack": 8},), "occupancy": ({"occupancy": 0.49},),
    "local": ({"instructions": {**CODE, "local": 1}}, {"instructions": {**CODE, "depot": True}}),
    "division": ({"instructions": {**CODE, "div_64": 1}}, {"instructions": {**CODE, "rem_64": 1}}),
    "wide": ({"load_widths": {"0": [4, 8]}}, {"store_widths": {"1": [8]}},
             {"loads": {**GOOD["loads"], "4": 1}}, {"stores": {**GOOD["stores"], "8": 1}}),
    "moved": ({"ratio": 1.11},), "requested": ({"requested": 22001},),
}
ALLOWED = ({"occupancy": 0.1, "limited_by": "shared memory"}, {"ratio": 3.0, "has_product": True},
           {"ratio": 3.0, "requested": 30000, "minimum": 4000}, {"requested": 30000, "has_product": True},
           {"loads": {**GOOD["loads"], "4": 1}, "all_loads_wide": False},
           {"loads": {**GOOD["loads"], "4": 1}, "scratch_per_block": 64})
assert set(MISSES) == set(check.LIMITS)
for name, limit in check.LIMITS.items():
    assert limit(GOOD) is None, name
    for change in ALLOWED:
        assert limit({**GOOD, **change}) is None, (name, change)
    for change in MISSES[name]:
        assert limit({**GOOD, **change}), (name, change)
