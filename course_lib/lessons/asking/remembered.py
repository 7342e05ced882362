"""What a browser keeps for a listener: the pseudonym until it is deleted, the secret word as long as the tab is open.

Lecture: 12, section 6.
"""

import anywidget
import traitlets


class Remembered(anywidget.AnyWidget):
    """A pseudonym and a secret word that the listener's browser keeps; nothing is seen of it.

    pseudonym, secret : what is to be kept; "" forgets it
    then : function (pseudonym, secret) of what the browser has kept from an earlier visit
    """

    _esm = """
    const NAME = "course-personaliser";
    const PLACES = { pseudonym: () => localStorage, secret: () => sessionStorage };
    function within(place, what) { // a browser may forbid it
      try { return what(place()) ?? ""; } catch { return ""; }
    }
    export default {
      initialize({ model }) {
        const kept = {};
        for (const [name, place] of Object.entries(PLACES)) {
          kept[name] = within(place, (store) => store.getItem(NAME));
          model.on(`change:${name}`, () => within(place, (store) => store.setItem(NAME, model.get(name))));
        }
        model.send(kept);
      },
      render() {},
    };
    """

    pseudonym = traitlets.Unicode("").tag(sync=True)
    secret = traitlets.Unicode("").tag(sync=True)

    def __init__(self, then):
        super().__init__()
        self.on_msg(lambda widget, content, buffers: then(content["pseudonym"], content["secret"]))
