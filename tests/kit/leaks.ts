/** Base64 of a secret that begins at any place of a longer text, without the ends that its neighbours share. */
const withinBase64 = (secret: string): string[] =>
  [0, 1, 2].map((before) => {
    const encoded = Buffer.from(`${'-'.repeat(before)}${secret}`).toString('base64');
    return encoded.replace(/=+$/, '').slice(before === 0 ? 0 : before + 1, -2);
  });

/** A secret as it could turn up: as it is, in base64 by itself or within something, in hex, in an address, in JSON. */
export const formsOf = (secret: string): string[] => {
  const base64 = withinBase64(secret);
  return [
    secret,
    ...base64,
    ...base64.map((it) => it.replaceAll('+', '-').replaceAll('/', '_')),
    Buffer.from(secret).toString('hex'),
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    JSON.stringify(secret).slice(1, -1),
  ];
};

/** Where secrets turned up: the place, and the beginning of what was found there. */
export const leaksIn = (said: ReadonlyMap<string, string>, secrets: readonly string[]): string[] =>
  [...said].flatMap(([where, text]) =>
    secrets.flatMap((secret, index) =>
      [...new Set(formsOf(secret))]
        .filter((form) => text.includes(form))
        .map((form) => `${where}: secret ${index} as ${form.slice(0, 6)}…`),
    ),
  );
