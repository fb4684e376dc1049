import type { ReactNode } from 'react';
import { PageHead } from '../ui/page.tsx';

/** Stands in the place of a page that the address does not name. */
export const NoSuchPage = ({ wayOn }: { wayOn?: ReactNode }) => (
  <PageHead title="There is no such page" actions={wayOn}>
    The address is mistyped or cut.
  </PageHead>
);

/** Shown for an address that names no page. */
export const NoSuchAddress = () => (
  <main style={{ padding: 'var(--space-6)' }}>
    <NoSuchPage wayOn={<a href="/console/">Go to the start</a>} />
  </main>
);
