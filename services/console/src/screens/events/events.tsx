import { PageHead } from '../../ui/page.tsx';
import { Clicks } from './clicks.tsx';
import { RecentEvents } from './recent-events.tsx';
import { Subscriptions } from './subscriptions.tsx';

/** What people did in messages, and what systems are told of. */
export const Events = () => (
  <>
    <PageHead title="Events">
      What people clicked, chose and submitted in your messages, and what your systems are told of.
    </PageHead>
    <Clicks />
    <Subscriptions />
    <RecentEvents />
  </>
);
