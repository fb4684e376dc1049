import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { OfScreen } from '../shell/of-screen.tsx';
import { Loading } from '../ui/states.tsx';

const Loaded = lazy(async () => ({ default: (await import('./editor-screen.tsx')).EditorScreen }));

/** The editor of the template that the address names; its code is loaded when it is first shown. */
export const EditorScreen = () => {
  const { template } = useParams({ from: '/$organization/$environment/templates/$template' });
  return (
    <OfScreen screen="templates" item={template}>
      <Suspense fallback={<Loading label="Loading the editor" lines={8} />}>
        <Loaded templateId={template} />
      </Suspense>
    </OfScreen>
  );
};
