import { launchChromium } from '@stanza/sandbox/testing/chromium';
import { openConsoleWorld } from '../browser/console/console-world.ts';
import { testJourney } from '../browser/console/journey.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import { waitFor } from '../kit/wait.ts';

const killedIn: readonly number[] = [5, 8, 10];

let own: OwnStack | undefined;

testJourney('an author whose gateway is killed in the middle of three steps loses nothing', {
  looks: { width: 1440, colorScheme: 'light' },
  open: async () => {
    const started = await startOwnStack('console-kill');
    own = started;
    const browser = await launchChromium();
    const console = await openConsoleWorld(started.world);
    return {
      browser,
      console,
      world: started.world,
      identityUrl: started.stack.info.identity_url,
      close: async () => {
        await browser.close();
        await started.close();
      },
    };
  },
  isDisturbed: true,
  inTheMiddleOf: async (step) => {
    if (!killedIn.includes(step) || own === undefined) return;
    const { stack } = own;
    const before = stack.info.pids.gateway;
    stack.kill('gateway', 'SIGKILL');
    await waitFor(
      'another gateway',
      () => stack.info.pids.gateway !== before && stack.process('gateway').ready,
    );
  },
});
