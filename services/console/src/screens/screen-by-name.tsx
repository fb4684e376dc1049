import { useParams } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { HelpLink } from '../shell/help-link.tsx';
import { NoSuchPage } from '../shell/no-such-address.tsx';
import { OfScreen } from '../shell/of-screen.tsx';
import type { Screen } from '../shell/screens.ts';
import { PageHelp } from '../ui/page.tsx';
import { Loading } from '../ui/states.tsx';

const screens: Readonly<Record<Screen, ComponentType>> = {
  templates: lazy(async () => ({ default: (await import('./templates/templates.tsx')).Templates })),
  modals: lazy(async () => ({ default: (await import('./modals/modals.tsx')).Modals })),
  messages: lazy(async () => ({ default: (await import('./messages/messages.tsx')).Messages })),
  queues: lazy(async () => ({ default: (await import('./queues/queues.tsx')).Queues })),
  schedules: lazy(async () => ({ default: (await import('./schedules/schedules.tsx')).Schedules })),
  destinations: lazy(async () => ({
    default: (await import('./destinations/destinations.tsx')).Destinations,
  })),
  events: lazy(async () => ({ default: (await import('./events/events.tsx')).Events })),
  connections: lazy(async () => ({ default: (await import('./connections.tsx')).Connections })),
  keys: lazy(async () => ({ default: (await import('./keys.tsx')).Keys })),
  people: lazy(async () => ({ default: (await import('./people.tsx')).People })),
  usage: lazy(async () => ({ default: (await import('./usage/usage.tsx')).Usage })),
  'audit-log': lazy(async () => ({ default: (await import('./audit-log.tsx')).AuditLog })),
  settings: lazy(async () => ({ default: (await import('./settings/settings.tsx')).Settings })),
};

const details: Readonly<Partial<Record<Screen, ComponentType<{ id: string }>>>> = {
  modals: lazy(async () => ({ default: (await import('./modals/modal.tsx')).ModalScreen })),
  messages: lazy(async () => ({ default: (await import('./messages/message.tsx')).MessageScreen })),
  queues: lazy(async () => ({ default: (await import('./queues/queue.tsx')).QueueScreen })),
  schedules: lazy(async () => ({ default: (await import('./schedules/schedule.tsx')).ScheduleScreen })),
  destinations: lazy(async () => ({
    default: (await import('./destinations/destination.tsx')).DestinationScreen,
  })),
};

const isScreen = (name: string): name is Screen => Object.hasOwn(screens, name);

/** The screen that the address names. */
export const ScreenByName = () => {
  const { screen } = useParams({ from: '/$organization/$environment/$screen' });
  if (!isScreen(screen)) return <NoSuchPage />;
  const Named = screens[screen];
  return (
    <Suspense fallback={<Loading />}>
      <PageHelp value={<HelpLink on={screen} />}>
        <Named key={screen} />
      </PageHelp>
    </Suspense>
  );
};

/** The screen of one thing: a message, a queue. */
export const DetailByName = () => {
  const { screen, item } = useParams({ from: '/$organization/$environment/$screen/$item' });
  if (!isScreen(screen)) return <NoSuchPage />;
  const Detail = details[screen];
  if (Detail === undefined) return <NoSuchPage />;
  return (
    <OfScreen screen={screen} item={item}>
      <Suspense fallback={<Loading />}>
        <PageHelp value={<HelpLink on={screen} />}>
          <Detail key={item} id={item} />
        </PageHelp>
      </Suspense>
    </OfScreen>
  );
};
