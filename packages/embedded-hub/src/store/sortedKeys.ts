/** Position of `key` in a sorted array, or the position at which to insert it. */
export function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Inserts a new key into a sorted array; appending in order needs no search. */
export function insertKey(keys: string[], key: string): void {
  if (keys.length === 0 || keys[keys.length - 1] < key) {
    keys.push(key);
  } else {
    keys.splice(lowerBound(keys, key), 0, key);
  }
}

export function removeKey(keys: string[], key: string): void {
  const index = lowerBound(keys, key);
  if (keys[index] === key) {
    keys.splice(index, 1);
  }
}
