const longest = 88;

const looksLikeId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The key that the server makes of the name of a template: of its Latin letters and digits, `template` without any. */
export const keyOfName = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const key = plain.slice(0, longest).replace(/-$/, '') || 'template';
  return looksLikeId.test(key) ? `template-${key}` : key;
};

/** The first key that is free: the one that is wanted, else with a number behind it. */
export const freeKey = async (
  wanted: string,
  isTaken: (key: string) => Promise<boolean>,
): Promise<string> => {
  let key = wanted;
  for (let number = 2; await isTaken(key); number += 1) key = `${wanted}-${number}`;
  return key;
};
