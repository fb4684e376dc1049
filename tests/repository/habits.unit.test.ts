import { describe, expect, it } from '@jest/globals';
import { readManifest } from '@stanza/release/manifests';
import { z } from 'zod';
import { read, root } from './files.ts';

/** The settings of an .editorconfig, by section. */
const sections = (text: string): Record<string, Record<string, string>> => {
  const found: Record<string, Record<string, string>> = {};
  let section = '';
  for (const line of text.split('\n')) {
    const [, name] = /^\[(.+)\]$/.exec(line) ?? [];
    const [, key = '', value = ''] = /^(\w+) = (.+)$/.exec(line) ?? [];
    section = name ?? section;
    if (key !== '') found[section] = { ...found[section], [key]: value };
  }
  return found;
};

describe('the files that every repository has', () => {
  it('name one licence', () => {
    const licence = read('LICENSE');
    expect(licence).toMatch(/^ +Apache License\n +Version 2\.0, January 2004\n/);
    expect(licence).toContain('Copyright 2026 The Stanza authors');
    expect(z.object({ license: z.string() }).parse(JSON.parse(read('package.json'))).license).toBe(
      'Apache-2.0',
    );
  });

  it('pin the same Node: .nvmrc and the packages that bring it', () => {
    const { optionalDependencies } = readManifest(root);
    const nodes = Object.entries(optionalDependencies).filter(([name]) => /^node-\w+-\w+$/.test(name));
    expect(nodes.length).toBeGreaterThan(1);
    expect([...new Set(nodes.map(([, version]) => version))]).toEqual([read('.nvmrc').trim()]);
  });

  it('give editors what biome will ask for', () => {
    const { formatter, javascript } = z
      .object({
        formatter: z.object({ indentStyle: z.string(), indentWidth: z.number(), lineWidth: z.number() }),
        javascript: z.object({ formatter: z.object({ quoteStyle: z.string() }) }),
      })
      .parse(JSON.parse(read('biome.json')));
    const { '*': all, '*.{ts,mts,js,mjs,json}': code } = sections(read('.editorconfig'));
    expect(all).toMatchObject({
      indent_style: formatter.indentStyle,
      indent_size: String(formatter.indentWidth),
    });
    expect(code).toEqual({
      max_line_length: String(formatter.lineWidth),
      quote_type: javascript.formatter.quoteStyle,
    });
  });
});
