// Every file of this folder; `npm run docs` writes the list.
export * from './check-blocks.ts';
export * from './check-views.ts';
export * from './compile-template.ts';
export * from './get-block-schema.ts';
export * from './get-input-schema.ts';
export * from './get-input-schema-automation.ts';
export * from './get-template-impact.ts';
export * from './measure-impact.ts';
export * from './preview-modal.ts';
export * from './preview-template.ts';
export * from './render-interaction.ts';
export * from './render-modal.ts';
export * from './render-template.ts';
export * from './render-test.ts';
export * from './validate-template.ts';
