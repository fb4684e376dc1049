import '../../../../shared/block-view/styles/block-view.css';
import { defineComponent, h, onMounted, ref } from 'vue';

/** A message or modal of the gallery as the chat platform shows it; it is a picture, so nothing in it can be used. */
export const DrawnExhibit = defineComponent({
  props: { slug: { type: String, required: true } },
  setup: ({ slug }) => {
    const place = ref<HTMLElement>();
    onMounted(async () => {
      const { draw } = await import('./draw-exhibit.ts');
      place.value?.replaceChildren(draw(slug));
    });
    return () => h('div', { ref: place, class: 'drawn-exhibit', inert: true });
  },
});
