import { describe, expect, it } from '@jest/globals';
import { Stanza } from '@stanza/sdk';
import { Names } from './names.ts';
import { readRemotes } from './remote.ts';

const numbers = Array.from({ length: 20 }, (_, index) => index);
const versionOf = (id: string) => ({ id: `version-of-${id}`, version_number: 2, status: 'draft' });

/** A gateway with templates. @param listed what its list says of each besides the rest */
const gateway = (listed: (id: string) => object) => {
  const paths: string[] = [];
  const send = async (url: string) => {
    const path = new URL(url).pathname;
    paths.push(path);
    const [, id = ''] = /^\/v1\/templates\/(.+)\/versions$/.exec(path) ?? [];
    const templates = numbers.map((it) => ({ id: `t${it}`, key: `k${it}`, ...listed(`t${it}`) }));
    return Response.json({ data: id ? [versionOf(id)] : templates });
  };
  const stanza = new Stanza({ url: 'http://127.0.0.1:9', key: 'stz_test_1', fetch: send });
  return { stanza, paths };
};

/** A base state that knows the newest version of each. */
const lock = new Map(
  numbers.map((it) => [
    `k${it}`,
    { version_id: `version-of-t${it}`, version_number: 2, live_version_id: null, content: 'c', about: 'a' },
  ]),
);

describe('the templates of an environment', () => {
  it('Templates whose newest version the base state knows are read by one request', async () => {
    const { stanza, paths } = gateway((id) => ({ newest_version: versionOf(id) }));
    const remotes = await readRemotes(stanza, new Names({}), lock);
    expect(paths).toEqual(['/v1/templates']);
    expect(remotes.get('k7')).toMatchObject({ newest: versionOf('t7'), versionHash: 'c' });
  });

  it('A gateway that lists no newest versions is asked for each', async () => {
    const { stanza, paths } = gateway(() => ({}));
    const remotes = await readRemotes(stanza, new Names({}), lock);
    expect(paths).toHaveLength(numbers.length + 1);
    expect(remotes.get('k7')).toMatchObject({ newest: versionOf('t7') });
  });
});
