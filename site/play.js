// An explorer that plays from its recording.

import { element, Explorer, nearest } from "./explorer.js";
import { between, load } from "./film.js";

const NEAR = "600px"; // of the window, from where on a recording is fetched

// Calls `start` with each place that comes near, once.
export function whenNear(places, start) {
  const seen = new IntersectionObserver(
    (entries) =>
      entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => {
        seen.unobserve(target);
        start(target);
      }),
    { rootMargin: NEAR }
  );
  places.forEach((place) => seen.observe(place));
}

// Whoever is without script, or offline, keeps the folded picture that the page came with.
export function begin(words) {
  whenNear(document.querySelectorAll(".explorer[data-recording]"), (place) => start(place, words));
}

async function start(place, words) {
  try {
    new Recording(place, await load(place.dataset.recording), words);
    place.classList.add("plays");
  } catch (error) {
    place.prepend(element("p", { role: "status" }, `${words.failed} (${error.message})`));
  }
}

class Recording {
  constructor(place, film, words) {
    this.film = film;
    const notes = film.sounds.length ? [...film.notes, words.credit] : film.notes;
    this.view = new Explorer(place, { ...film, notes }, this);
    this.go(film.controls.map(({ start }) => start));
  }

  press(kind, k) {
    const { film } = this;
    this.go(kind === "cases" ? film.sets[k] : film.places(film.moves[k][this.state]));
  }

  go(places) {
    this.places = places;
    this.show(places.map((place, k) => this.film.controls[k].at?.[place] ?? place), null, true);
  }

  // Between two recorded places the picture follows the slider; sentence and number are those of the nearer one.
  move(k, at, resting) {
    const { at: stops } = this.film.controls[k];
    const place = stops ? nearest(stops, at) : at;
    const places = this.places.map((old, j) => (j === k ? place : old));
    if (resting) return this.go(places);
    this.places = places;
    const above = Math.max(1, stops.findIndex((stop) => stop >= at));
    const [low, high] = [above - 1, above].map((near) => this.film.states[this.film.number(places.map((old, j) => (j === k ? near : old)))]);
    const share = (at - stops[above - 1]) / (stops[above] - stops[above - 1]);
    this.show(this.view.state.at.map((old, j) => (j === k ? at : old)), between(low, high, share), false);
  }

  show(at, drawn, resting) {
    const { film, places } = this;
    this.state = film.number(places);
    const texts = places.map((place, k) => film.controls[k].shown[place]);
    const sentence = film.sentences[film.said[this.state]];
    const marks = drawn ?? film.states[this.state];
    this.view.show({ at, texts, sentence, marks, players: this.players(), shown: film.shown[this.state] }, resting);
  }

  players() {
    const { players, heard, sounds } = this.film;
    return players[heard[this.state]].replace(/data-sound="(\d+)"/g, (_, k) => `src="${sounds[k]}"`);
  }
}
