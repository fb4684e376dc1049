/** The messages of the gallery, which the build puts into the page. */
declare module 'virtual:gallery' {
  /** A template of the gallery: what it is made of, data to fill it with, and the blocks that come of it. */
  export interface Exhibit {
    slug: string;
    source: {
      name: string;
      description: string;
      fallback_text?: string;
      locale?: string;
      timezone?: string;
      blocks: { type: string; id?: string }[];
    };
    data: Record<string, unknown>;
    blocks: unknown[];
  }
  const gallery: readonly Exhibit[];
  export default gallery;
}
