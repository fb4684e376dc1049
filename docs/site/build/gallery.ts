import { type Exhibit, exhibits } from '@stanza/gallery/exhibits';

const sectionOf = ({ slug, kind, source }: Exhibit): string => `### ${slug}

${source.description}

<DrawnExhibit slug="${slug}" />

::: details The ${kind === 'message' ? 'template' : 'modal'}
\`\`\`txt
${JSON.stringify(source, null, 2)}
\`\`\`
:::
`;

/** The sections that draw each template of the gallery; the site has them below its page. */
export const drawnGallery = (): string => `
## Drawn

${exhibits.map(sectionOf).join('\n')}`;

/** What the page draws: the blocks of each exhibit, compiled with its data. */
export const drawnExhibits = (): Record<string, unknown> =>
  Object.fromEntries(
    exhibits.map(({ slug, kind, source, expected }) => [
      slug,
      {
        kind,
        shown: expected,
        ...('locale' in source && { locale: source.locale }),
        ...('timezone' in source && { timeZone: source.timezone }),
      },
    ]),
  );
