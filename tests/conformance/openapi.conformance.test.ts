import { describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openApiDocument } from '@stanza/contracts';

const lint = async (document: unknown): Promise<string[]> => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map((it) => `${it.ruleId}: ${it.message} (${it.location[0]?.pointer})`);
};

describe('the recommended rules for OpenAPI documents', () => {
  it('find nothing in what clients are given, every example of a request, a reply and an error included', async () => {
    expect(await lint(openApiDocument())).toEqual([]);
  });

  it('find nothing in what tests check answers against', async () => {
    expect(await lint(openApiDocument('closed'))).toEqual([]);
  });

  it('would find an example that its schema does not allow', async () => {
    const text = JSON.stringify(openApiDocument()).replace(
      '"remaining_credits":999',
      '"remaining_credits":"?"',
    );
    expect(await lint(JSON.parse(text))).toContainEqual(
      expect.stringMatching(/^no-invalid-media-type-examples: /),
    );
  });
});
