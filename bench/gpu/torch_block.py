"""The single-pair-single block in PyTorch on the GPU, padded and packed by hand, eager and f32.

Called by gpu.sh in a bundle as `torch_block.py LENGTHS ROWS`, where python3 has torch with CUDA. Writes
rows as bench/gpu/rows.c reads them: the driver puts them into its table, next to the compiled block.
"""

import sys
import time

SINGLE, PAIR, HIDDEN = 384, 128, 512


def make_weights(torch):
    shapes = dict(u=(PAIR, SINGLE), v=(PAIR, SINGLE), gamma=(PAIR,), beta=(PAIR,), w1=(HIDDEN, PAIR),
                  b1=(HIDDEN,), w2=(PAIR, HIDDEN), b2=(PAIR,), g=(SINGLE, PAIR))
    return {name: (torch.rand(shape, device="cuda") * 2 - 1) / (shape[-1] ** 0.5 if len(shape) == 2 else 1)
            for name, shape in shapes.items()}


def transition(torch, w, pair):
    f = torch.nn.functional
    normal = f.layer_norm(pair, (PAIR,), w["gamma"], w["beta"], 1e-5)
    return pair + f.linear(f.gelu(f.linear(normal, w["w1"], w["b1"])), w["w2"], w["b2"])


def padded_block(torch, w, lengths):
    """All samples have the longest length; the mean is masked."""
    longest = max(lengths)
    x = torch.rand((len(lengths), longest, SINGLE), device="cuda") * 2 - 1
    counts = torch.tensor(lengths, device="cuda")
    mask = (torch.arange(longest, device="cuda")[None, :] < counts[:, None]).float()

    def run():
        pair = (x @ w["u"].T)[:, :, None] + (x @ w["v"].T)[:, None, :]
        pair = transition(torch, w, pair)
        mean = (pair * mask[:, None, :, None]).sum(2) / counts.clamp(min=1)[:, None, None]
        return x + mean @ w["g"].T, pair

    return run


def packed_block(torch, w, lengths):
    """Rows of all samples one after the other; pairs by index; the mean by segments."""
    x = torch.rand((sum(lengths), SINGLE), device="cuda") * 2 - 1
    rows, columns, first = [], [], 0
    for n in lengths:
        own = torch.arange(first, first + n, device="cuda")
        rows.append(own.repeat_interleave(n))
        columns.append(own.repeat(n))
        first += n
    row, column = torch.cat(rows), torch.cat(columns)
    per_row = torch.repeat_interleave(torch.tensor(lengths, device="cuda"),
                                      torch.tensor(lengths, device="cuda"))

    def run():
        pair = (x @ w["u"].T)[row] + (x @ w["v"].T)[column]
        pair = transition(torch, w, pair)
        total = torch.segment_reduce(pair, "sum", lengths=per_row, axis=0)
        return x + (total / per_row[:, None]) @ w["g"].T, pair

    return run


def measure(torch, run):
    for _ in range(2):
        run()
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    best = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        run()
        torch.cuda.synchronize()
        best = min(best, time.perf_counter() - begin)
    return best, torch.cuda.max_memory_allocated()


def write_row(out, name, milliseconds, note):
    state = 0 if milliseconds is not None else 2
    number = milliseconds if milliseconds is not None else float("nan")
    out.write(f"{state}\ttorch\t{name}\t{number}\tms\tnan\t\tnan\t{note}\n")


def main():
    import torch

    lengths = [int(n) for n in open(sys.argv[1]).read().split() if int(n) > 0]
    with open(sys.argv[2], "w") as out, torch.no_grad():
        for tf32 in (False, True):
            torch.backends.cuda.matmul.allow_tf32 = tf32
            torch.manual_seed(0)
            w = make_weights(torch)
            for name, block in (("padded", padded_block), ("packed by hand", packed_block)):
                row = f"torch {name}, {'tf32' if tf32 else 'f32'} products"
                try:
                    seconds, peak = measure(torch, block(torch, w, lengths))
                    write_row(out, row, 1e3 * seconds,
                              f"eager, torch {torch.__version__}; peak {peak / 2**20:.0f} MiB in all")
                except Exception as error:  # a version that lacks something: nothing of ours is wrong
                    write_row(out, row, None, " ".join(str(error).split())[:150])


if __name__ == "__main__":
    main()
