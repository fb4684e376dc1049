import { createRequire } from 'node:module';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** What takes long and mostly waits begins first, so that a run does not end with one worker waiting for a clock. */
const order = ['e2e', 'conformance', 'contract', 'browser', 'int', 'tenancy', 'unit'];

const rank = ({ context }) => order.indexOf(context.config.displayName?.name ?? '');

/** Runs the levels in that order, and what is slow of a level first. */
export default class extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
}
