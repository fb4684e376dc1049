import { useTitle } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

/** Shown for an address that names no page. */
export const NoSuchAddress = () => {
  useTitle('There is no such page');
  return (
    <main style={{ padding: 'var(--space-6)' }}>
      <Empty title="There is no such page" action={<a href="/console/">Go to the start</a>}>
        The address is mistyped or cut.
      </Empty>
    </main>
  );
};
