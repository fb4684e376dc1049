/** The tool that does what an address of the API does. */
const toolsByAddress: readonly [RegExp, string][] = [
  [/^POST \/templates\/validate$/, 'validate'],
  [/^POST \/templates\/preview$/, 'preview'],
  [/^GET \/templates\/block-schema$/, 'language'],
  [/^GET \/templates$/, 'find'],
  [/^POST \/templates$/, 'create'],
  [/^GET \/templates\/[^/]+(?:\/versions)?(?:\/[^/]+)?$/, 'read'],
  [/^GET \/templates\/[^/]+\/draft$/, 'read'],
  [/^PUT \/templates\/[^/]+\/draft$/, 'draft'],
  [/^POST \/templates\/[^/]+\/draft\/save$/, 'save'],
  [/^POST \/templates\/[^/]+\/diff$/, 'diff'],
  [/^POST \/templates\/[^/]+\/impact$/, 'impact'],
  [/^POST \/templates\/[^/]+\/proposals$/, 'propose'],
  [/^GET \/(?:templates\/[^/]+\/)?proposals$/, 'proposals'],
  [/^POST \/templates\/(?:[^/]+\/versions\/[^/]+\/)?test-send$/, 'test_send'],
];

const address = /`?\b(GET|POST|PUT|PATCH|DELETE) (?:\/v1)?(\/[\w/{}…-]*[\w}])`?/g;

/**
 * A text of the API for an agent: it names the tool that stands for an address, and the fact that stands for a header.
 * Where no tool does what an address does, the text says that a person does it.
 */
export const withTools = (text: string): string => {
  const left = new Set<string>();
  const named = text
    .replace(address, (whole, method: string, path: string) => {
      const found = toolsByAddress.find(([pattern]) => pattern.test(`${method} ${path}`));
      if (found !== undefined) return `the tool "${found[1]}"`;
      left.add(whole.replaceAll('`', ''));
      return whole;
    })
    .replace(/\bactivate one(?: to make it live)?/g, 'propose one, which a person makes live')
    .replaceAll('`details`', '`problems`')
    .replaceAll('`error.issues`', '`issues`')
    .replaceAll('Retry-After', 'retry_after');
  return left.size === 0 ? named : `${named} No tool does ${[...left].join(' or ')}: ask a person for it.`;
};

/** A problem or warning of blocks for an agent, as {@link withTools} writes its sentences. */
export const problemWithTools = <T extends { message: string; hint?: string | undefined }>(
  problem: T,
): T => ({
  ...problem,
  message: withTools(problem.message),
  ...(problem.hint !== undefined && { hint: withTools(problem.hint) }),
});
