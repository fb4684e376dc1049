/** Runs the infrastructure of a stack in the folder that the argument names, prints its info as one line, and stays. */
import { startStack } from '../stack.ts';

const stack = await startStack({ directory: process.argv[2] ?? '', services: [] });
console.log(JSON.stringify(stack.info));
process.on('SIGTERM', () => {
  void stack.stop().then(() => process.exit(0));
});
setInterval(() => {}, 1_000_000);
