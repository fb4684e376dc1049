/** Packs the Python SDK as a wheel into a folder: `node wheel.ts <folder>`. The same sources make the same bytes. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

const home = join(import.meta.dirname, '..');
const root = join(home, '../..');
const [folder = '.'] = process.argv.slice(2);

/** A version as Python writes it (PEP 440): `1.0.0-rc.1` is `1.0.0rc1`. */
const version = String(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version).replace(
  /-(alpha|beta|rc)\.?/,
  (_, stage: string) => ({ alpha: 'a', beta: 'b' })[stage] ?? stage,
);
const info = `stanza_sdk-${version}.dist-info`;

const metadata = `Metadata-Version: 2.4
Name: stanza-sdk
Version: ${version}
Summary: Stanza from Python: every operation typed, retries that double nothing
License-Expression: Apache-2.0
License-File: LICENSE
Requires-Python: >=3.10
Description-Content-Type: text/markdown

${readFileSync(join(home, 'README.md'), 'utf8')}`;

const wheel = 'Wheel-Version: 1.0\nGenerator: stanza\nRoot-Is-Purelib: true\nTag: py3-none-any\n';

const files = new Map<string, Buffer>(
  globSync('stanza_sdk/**/*.{py,typed}', { cwd: home })
    .sort()
    .map((file) => [file.replaceAll('\\', '/'), readFileSync(join(home, file))]),
);
files.set('stanza_sdk/py.typed', Buffer.alloc(0));
files.set(`${info}/METADATA`, Buffer.from(metadata));
files.set(`${info}/WHEEL`, Buffer.from(wheel));
files.set(`${info}/licenses/LICENSE`, readFileSync(join(root, 'LICENSE')));
const record = [...files].map(
  ([name, content]) =>
    `${name},sha256=${createHash('sha256').update(content).digest('base64url')},${content.length}\n`,
);
files.set(`${info}/RECORD`, Buffer.from(`${record.join('')}${info}/RECORD,,\n`));

/** The fields that both headers of an entry of a zip share; the moment is the first that a zip can have. */
const common = (packed: Buffer, content: Buffer, name: Buffer): Buffer => {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0); // version
  fields.writeUInt16LE(0x0800, 2); // names are UTF-8
  fields.writeUInt16LE(8, 4); // deflate
  fields.writeUInt16LE(0, 6); // time
  fields.writeUInt16LE(0x0021, 8); // 1980-01-01
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
};

const parts: Buffer[] = [];
const directory: Buffer[] = [];
let offset = 0;
for (const [path, content] of files) {
  const name = Buffer.from(path);
  const packed = deflateRawSync(content, { level: 9 });
  const fields = common(packed, content, name);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(0o100644 * 0x1_0000, 6); // a file that its owner writes and all read
  rest.writeUInt32LE(offset, 10);
  directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), fields, rest, name);
  const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, name, packed]);
  offset += entry.length;
  parts.push(entry);
}
const list = Buffer.concat(directory);
const end = Buffer.alloc(18);
end.writeUInt16LE(files.size, 4);
end.writeUInt16LE(files.size, 6);
end.writeUInt32LE(list.length, 8);
end.writeUInt32LE(offset, 12);
const archive = Buffer.concat([...parts, list, Buffer.from('PK\x05\x06', 'latin1'), end]);
writeFileSync(join(folder, `stanza_sdk-${version}-py3-none-any.whl`), archive);
