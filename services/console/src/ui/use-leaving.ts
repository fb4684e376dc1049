import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useEffectEvent } from 'react';

/**
 * Keeps a page as long as something on it would be lost: *Back* and *Forward* of the browser ask first, and so does a
 * link. The browser itself asks before it closes or reloads the page. Where a form leads to by itself is no loss.
 *
 * @param ask is given what goes on where the person wanted to go
 */
export const useLeaving = (wouldLose: () => boolean, ask: (goOn: () => void) => void) => {
  const { history } = useRouter();
  const isKept = useEffectEvent(wouldLose);
  const onLeaving = useEffectEvent(ask);
  useEffect(
    () =>
      history.block({
        enableBeforeUnload: () => isKept(),
        blockerFn: ({ action, currentLocation, nextLocation }) => {
          if (action === 'PUSH' || action === 'REPLACE' || !isKept()) return false;
          const steps = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index;
          onLeaving(() => history.go(steps));
          return true;
        },
      }),
    [history],
  );
  return {
    onClickCapture: (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      // Other tabs lose nothing, and the browser asks for what lies outside of the console.
      const isOther = event.ctrlKey || event.metaKey || event.shiftKey || link?.target !== '';
      if (!link?.href.startsWith(`${location.origin}/console/`) || isOther || !wouldLose()) return;
      event.preventDefault();
      ask(() => history.push(`${link.pathname}${link.search}${link.hash}`));
    },
  };
};
