import { measureHops } from './hops.ts';

/** `npm run hops`: prints the files that a send, a bulk send, a compile and a push execute, by package. */
for (const [request, hops] of Object.entries(await measureHops())) {
  console.log(`\n${request}`);
  for (const [name, files] of hops) {
    console.log(`  ${name}: ${files.length}`);
    for (const file of files) console.log(`    ${file.slice(name.length + '/src/'.length)}`);
  }
}
process.exit(0);
