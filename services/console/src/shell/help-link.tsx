import { help } from './help.ts';

/** Leads to the page of the documentation about a screen, in another tab: what is written here stays. */
export const HelpLink = ({ on }: { on: keyof typeof help }) => {
  const [page, about] = help[on];
  return (
    <a href={`/docs/${page}`} target="_blank" rel="noreferrer">
      {about}
    </a>
  );
};
