import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { compileProgram } from '@stanza/test-kit/compile-program';
import { templatesModule } from './templates-module.ts';

const index = join(import.meta.dirname, '../../sdk/src/index.ts');

const templates = [
  {
    key: 'deploy-alert',
    description: 'Says what is live. */',
    dataType: '{\n  service: string;\n  version: string;\n  note?: string | null;\n}',
  },
  { key: 'hello', dataType: '{\n  name?: string | null;\n}' },
];

/** What the compiler says of lines that use a client, each beginning with its number. */
const complaintsOf = async (lines: readonly string[], module: string | undefined): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'stanza-module-'));
  try {
    const head = `import { Stanza, type SendTemplateReply } from '@stanza/sdk';\ndeclare const stanza: Stanza;\n`;
    await writeFile(
      join(folder, 'program.ts'),
      `${head}${lines.join('\n')}\nexport type Reply = SendTemplateReply;\n`,
    );
    if (module !== undefined) await writeFile(join(folder, 'stanza-templates.d.ts'), module);
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          target: 'es2024',
          lib: ['es2024', 'dom'],
          module: 'nodenext',
          noEmit: true,
          types: [],
          allowImportingTsExtensions: true,
          paths: { '@stanza/sdk': [index] },
        },
      }),
    );
    const said = await compileProgram({ folder, files: [], flags: ['-p', '.'] });
    return said.map((line) =>
      line.replace(/^program\.ts\((\d+),.*?error TS\d+: /, (_, at) => `${Number(at) - 2}: `),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

describe('the module of templates', () => {
  it('is the same text for the same templates', () => {
    expect(templatesModule(templates.toReversed())).toBe(templatesModule(templates));
    expect(templatesModule(templates)).toContain(
      "    /** Says what is live. * / */\n    'deploy-alert': {\n      service: string;",
    );
  });

  it('makes an unknown key and a missing value errors of the compiler', async () => {
    const said = await complaintsOf(
      [
        `void stanza.send('deploy-alert', { channel_id: 'C1', data: { service: 'api', version: '1' } });`,
        `void stanza.send('hello', { channel_id: 'C1' });`,
        `void stanza.send('deploy-alrt', { channel_id: 'C1', data: { service: 'api', version: '1' } });`,
        `void stanza.send('deploy-alert', { channel_id: 'C1', data: { service: 'api' } });`,
        `void stanza.send('deploy-alert', { channel_id: 'C1' });`,
        `void stanza.send('deploy-alert', { data: { service: 'api', version: '1' } });`,
        `void stanza.send('deploy-alert', { channel_id: 'C1', recipient_email: 'a@b.c', data: { service: 'api', version: '1' } });`,
        `void stanza.compile('hello', { data: { nme: 'Ada' } });`,
        `void stanza.preview('deploy-alert');`,
      ],
      templatesModule(templates),
    );
    expect(said.map((line) => line.split(':')[0])).toEqual(['3', '4', '5', '6', '7', '8']);
    expect(said[0]).toContain('"deploy-alrt"');
    expect(said[1]).toContain("'version' is missing");
    expect(said[2]).toContain("'data' is missing");
    expect(said[5]).toContain("'nme'");
  });

  it('may be left out: then keys and data are free', async () => {
    const lines = [
      `void stanza.send('anything', { channel_id: 'C1', data: { of: ['any', 'shape'] } });`,
      `void stanza.send('anything', { channel_id: 'C1' });`,
      `void stanza.send('anything', { channel_id: 'C1', data: 'text' });`,
    ];
    const said = await complaintsOf(lines, undefined);
    expect(said.map((line) => line.split(':')[0])).toEqual(['3']);
  });
});
