import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useActing } from '../api/session-context.ts';
import type { Screen } from './screens.ts';

/** A link to a screen of the same organization and environment, or to one thing on it. */
export const ScreenLink = ({
  screen,
  item,
  search = {},
  className,
  children,
}: {
  screen: Screen;
  item?: string;
  search?: Readonly<Record<string, string>>;
  className?: string;
  children: ReactNode;
}) => {
  const { place } = useActing();
  return item === undefined ? (
    <Link
      to="/$organization/$environment/$screen"
      params={{ ...place, screen }}
      search={search}
      className={className}
    >
      {children}
    </Link>
  ) : (
    <Link
      to="/$organization/$environment/$screen/$item"
      params={{ ...place, screen, item }}
      search={search}
      className={className}
    >
      {children}
    </Link>
  );
};
