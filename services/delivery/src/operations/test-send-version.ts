import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { versionTestOf } from '../messages/message.ts';
import { sendTest } from '../messages/send-test.ts';

/** Posts a version as a test. */
export const testSendVersion = (dependencies: Dependencies) =>
  handle(contracts.testSendVersion, (call) =>
    sendTest(dependencies, call, () => versionTestOf(dependencies, call)),
  );
