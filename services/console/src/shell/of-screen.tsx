import type { ReactNode } from 'react';
import { useTitle } from '../ui/page.tsx';
import { WayBack } from '../ui/states.tsx';
import { NoSuchPage } from './no-such-address.tsx';
import { ScreenLink } from './screen-link.tsx';
import { type Screen, screens } from './screens.ts';

/** An id in an address; programs cut the end of long ones. */
const isId = (item: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(item);

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
  const wayBack = <ScreenLink screen={screen}>{name}</ScreenLink>;
  if (!isId(item)) return <NoSuchPage wayOn={wayBack} />;
  return <WayBack value={wayBack}>{children}</WayBack>;
};
