import { globSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  errorTable,
  httpOperations,
  isErrorCode,
  jobOperations,
  metricDeclarations,
} from '@stanza/contracts';
import { databaseRoles } from '@stanza/local/provision';
import { pages, pageText, root } from './markdown.ts';

const named =
  /\b(?<method>GET|POST|PUT|PATCH|DELETE) (?<start>\/v1|…)(?<path>\/[\w/{}-]*)(?:\?(?<query>[\w=&…-]+))?/g;

/** What is wrong with a request that a page names, as in `GET /v1/messages?status=unknown`; undefined when nothing is. */
const problemOf = ({ groups = {} }: RegExpExecArray): string | undefined => {
  const { method, start, path = '', query = '' } = groups;
  const fits = (whole: string): boolean => (start === '…' ? whole.endsWith(path) : whole === path);
  const operation = httpOperations.find((it) => it.method === method && fits(it.path));
  if (!operation) return `there is no ${method} ${start}${path}`;
  const known = Object.keys(operation.query?.shape ?? {});
  const strange = [...new URLSearchParams(query).keys()].filter((key) => !known.includes(key));
  return strange.length === 0 ? undefined : `${operation.id} has no ${strange.join(', ')}`;
};

const problemsOf = (text: string): string[] =>
  [...text.matchAll(named)].map(problemOf).filter((problem) => problem !== undefined);

/** Statuses of bodies and headers that are too much, whose code is that of every request which cannot be read. */
const ofTheDoor = new Set(['408', '413', '431']);

/** Codes that a page gives another status than they have, as in "409 `invalid_state`". */
const strangeCodes = (text: string): string[] =>
  [...text.matchAll(/\b(?<status>[45]\d\d) `(?<code>[a-z_]+)`/g)]
    .filter(({ groups: { status = '', code = '' } = {} }) => {
      if (code === 'invalid_request' && ofTheDoor.has(status)) return false;
      return !isErrorCode(code) || String(errorTable[code].status) !== status;
    })
    .map(([whole]) => whole);

/** Every variable that some program or file of a deployment reads. */
const variables = new Set(
  globSync(['{services,shared,deploy,tests}/**/*.ts', 'docker-compose.yml'], { cwd: root })
    .filter((file) => !/node_modules|\/dist\/|names\.unit/.test(file))
    .flatMap((file) => pageText(file).match(/\bSTANZA_[A-Z_]+[A-Z]/g) ?? []),
);

const series = new Set([
  ...databaseRoles,
  ...metricDeclarations.flatMap(({ name }) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]),
]);

describe.each(pages())('%s', (page) => {
  const text = pageText(page);

  it('names requests that the API takes', () => {
    expect(problemsOf(text)).toEqual([]);
  });

  it('names codes with the statuses that they have', () => {
    expect(strangeCodes(text)).toEqual([]);
  });

  it('names variables that something reads', () => {
    const names = text.match(/\bSTANZA_[A-Z_]+[A-Z]\b/g) ?? [];
    expect(names.filter((name) => !variables.has(name.replace(/_FILE$/, '')))).toEqual([]);
  });

  it('names metrics that processes have', () => {
    const names = text.match(/\bstanza_(?!sdk\b)[a-z_]+[a-z]\b/g) ?? [];
    expect(names.filter((name) => !series.has(name))).toEqual([]);
  });
});

describe('the names on pages', () => {
  it.each([
    ['`POST /v1/templates`, `GET /v1/messages?status=unknown`', []],
    ['`POST …/signing-secret/rotate`', []],
    ['`PUT /v1/templates`', ['there is no PUT /v1/templates']],
    ['`GET /v1/templates/{name}`', ['there is no GET /v1/templates/{name}']],
    ['`GET /v1/messages?state=unknown`', ['list-messages has no state']],
  ])('are understood in %s', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it('are those of all operations that count against the authoring rate', () => {
    const [sentence = ''] = /Authoring is [^.]+\./.exec(pageText('docs/operating.md')) ?? [];
    const names = [...sentence.matchAll(/`([a-z-]+)`/g)].map((match) => match[1]);
    const counted = httpOperations.filter((it) => it.authoring).map((it) => it.id);
    expect(names).toEqual(counted.sort());
  });

  it('are those of all variables that a program reads, but for those of tests', () => {
    const read = globSync('{services,shared,deploy}/**/*.{ts,mjs}', { cwd: root })
      .filter((file) => !/node_modules|\/dist\/|\/testing\/|\.test\.ts$/.test(file))
      .flatMap((file) => [...pageText(file).matchAll(/(?:process\.env\.|^ +)(STANZA_[A-Z_]+)(?:\b|:)/gm)])
      .map(([, name = '']) => name);
    const text = pages().map(pageText).join('\n');
    const missing = read.filter((name) => !name.startsWith('STANZA_TEST_') && !text.includes(`${name}\``));
    expect([...new Set(missing)]).toEqual([]);
  });

  it('are those of all jobs that a dead letter may hold, where its discard is weighed', () => {
    const [, effects = ''] = pageText('docs/runbooks/replay-dead-letters.md').split('Effects of a discard:');
    const names = new Set(jobOperations.map(({ job }) => job.name));
    expect([...names].filter((name) => !effects.includes(`\`${name}\``))).toEqual([]);
  });

  it('are wrong when a code has another status, or is none', () => {
    expect(strangeCodes('409 `invalid_state`, 413 `invalid_request`')).toEqual([]);
    expect(strangeCodes('404 `invalid_state`, 400 `bad_luck`')).toEqual([
      '404 `invalid_state`',
      '400 `bad_luck`',
    ]);
  });
});
