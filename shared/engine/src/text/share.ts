/**
 * How long each of some texts may be so that all of them fit together: short ones keep what they have, and long ones
 * share the rest evenly.
 */
export const shareOf = (lengths: readonly number[], room: number): number => {
  let left = room;
  const sorted = [...lengths].sort((one, other) => one - other);
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return share;
    left -= length;
  }
  return sorted.at(-1) ?? room;
};
