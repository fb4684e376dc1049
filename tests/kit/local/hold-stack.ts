/** Runs the infrastructure of a stack in the folder that the argument names, prints its info as one line, and stays. */
import { startStack } from '@stanza/local/stack';

const stack = await startStack({ directory: process.argv[2] ?? '', services: [] });
// Before the line is printed: its reader may request the end at once.
process.on('SIGTERM', () => {
  void stack.stop().then(() => process.exit(0));
});
console.log(JSON.stringify(stack.info));
setInterval(() => {}, 1_000_000);
