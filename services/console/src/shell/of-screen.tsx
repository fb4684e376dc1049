import type { ReactNode } from 'react';
import { useTitle } from '../ui/page.tsx';
import { WayBack } from '../ui/states.tsx';
import { ScreenLink } from './screen-link.tsx';
import { type Screen, screens } from './screens.ts';

/** Holds one thing of a list: has the name of the list until its own is known, and leads there where it is missing. */
export const OfScreen = ({
  screen,
  item,
  children,
}: {
  screen: Screen;
  item: string;
  children: ReactNode;
}) => {
  const [, name] = screens.find(([it]) => it === screen) ?? screens[0];
  useTitle(name, item);
  return <WayBack value={<ScreenLink screen={screen}>{name}</ScreenLink>}>{children}</WayBack>;
};
