/** A place between blocks on the screen. */
export interface Place {
  /** The pointer of what the dragged block would stand before. */
  readonly to: string;
  readonly y: number;
  readonly left: number;
  readonly width: number;
}

/** The place that is nearest to a height. */
export const nearestTo = (places: readonly Place[], y: number): Place | undefined =>
  places.reduce<Place | undefined>(
    (best, place) => (best && Math.abs(best.y - y) <= Math.abs(place.y - y) ? best : place),
    undefined,
  );
