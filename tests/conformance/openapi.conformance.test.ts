import { describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openApiDocument } from '@stanza/contracts';
import spectralCore from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

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

describe('Spectral', () => {
  // It takes ten seconds of a core, so it is for CI, as all generated cases are.
  it('finds no error in what clients are given', async () => {
    const spectral = new spectralCore.Spectral();
    spectral.setRuleset(new spectralCore.Ruleset({ extends: [[rulesets.oas, 'recommended']] }));
    const problems = await spectral.run(JSON.stringify(openApiDocument()));
    // Warnings are about scopes of bearer tokens, which OpenAPI 3.1 allows and its rules do not know yet.
    const errors = problems.filter(({ severity }) => severity === 0);
    expect(errors.map(({ code, message, path }) => `${code}: ${message} (${path.join('/')})`)).toEqual([]);
  });
});
