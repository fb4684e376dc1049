import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { blocksTestOf } from '../messages/message.ts';
import { sendTest } from '../messages/send-test.ts';
import { withoutVersion } from '../messages/verdict.ts';

/** Posts blocks as a test; they are of no version. */
export const testSendBlocks = (dependencies: Dependencies) =>
  handle(contracts.testSendBlocks, async (call) =>
    withoutVersion(await sendTest(dependencies, call, () => blocksTestOf(dependencies, call))),
  );
