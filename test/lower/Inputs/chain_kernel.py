"""A kernel of as many ops as the argument says: each number twice the one before it."""
import sys

count = int(sys.argv[1])
tile = "!ragged_tile.tile<4xf32>"
ref = "!ragged_tile.ref<[0], 4xf32>"
print('ragged_tile.kernel @chain axes = ["n"] grid = [0] {')
print(f"^bb0(%s: index, %i: index, %x: {ref}, %y: {ref}):")
print(f"  %0 = ragged_tile.load %x[%s, %i] : {ref} -> {tile}")
for k in range(1, count - 1):
    print(f'  %{k} = ragged_tile.elementwise "add", %{k - 1}, %{k - 1} : {tile}, {tile} -> {tile}')
print(f"  ragged_tile.store %{count - 2}, %y[%s, %i] : {tile}, {ref}")
print("}")
