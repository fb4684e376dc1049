/** Templates by name as choices; those that share theirs have their key as well. */
export const templateChoices = (
  templates: readonly { readonly id: string; readonly name: string; readonly key: string }[],
): (readonly [id: string, text: string])[] => {
  const counts = new Map<string, number>();
  for (const { name } of templates) counts.set(name, (counts.get(name) ?? 0) + 1);
  return templates.map(({ id, name, key }) => [id, (counts.get(name) ?? 0) > 1 ? `${name} (${key})` : name]);
};
