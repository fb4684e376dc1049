import { PageHead } from '../ui/page.tsx';

/** Shown for an address that names no page. */
export const NoSuchAddress = () => (
  <main style={{ padding: 'var(--space-6)' }}>
    <PageHead title="There is no such page" actions={<a href="/console/">Go to the start</a>}>
      The address is mistyped or cut.
    </PageHead>
  </main>
);
