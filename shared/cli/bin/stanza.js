#!/usr/bin/env node
// Without anything newer than Node 14, so that an old one reads this sentence and not a syntax error of the program.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 12)) {
  await import('../dist/stanza.js');
} else {
  console.error(`stanza needs Node 22.12 or newer; this is ${process.versions.node}.`);
  process.exitCode = 1;
}
