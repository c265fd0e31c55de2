// Seeded choices and plausible text. Integers only, so that every machine makes the same bytes.

/** A small generator of 32-bit numbers (xorshift). */
export class Choices {
  constructor(seed) {
    this.state = (seed | 0) || 1;
  }

  /** A whole number from 0 up to before `n`. */
  below(n) {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x;
    return (x >>> 0) % n;
  }

  pick(list) {
    return list[this.below(list.length)];
  }
}

const WORDS = `a about above after all also an and answer any approval are array as ask at back be because before begin
below between book both budget but by call can case change city column come compare could count data day describe
does each early end evening every example expense explain file find first five flight follow for friend from function
give go good great hand have he help here high hotel how however idea if in index input into is it its just keep kind
know language large last late learn letter line list little long look make manager many may mean meeting model more
most move much must name need never new next night no not now number object of off often old on once one only open
or order other our out over own page part people place plan please point policy possible problem program public
question quite read reason receipt record reply report request result return review right row rule same say school
second see send sentence set several short should show simple since small so some sort special start state station
step still stop story string such sum summarize system table take tell ten test text than that the their them then
there these they thing think this those three through time to today together train travel try turn two under until up
use value very wait want was water way we week well were what when where which while who why will with word work world
would write year yes yet you your`.split(/\s+/);

const OTHER = [
  "résumé", "naïve", "größer", "Straße", "café", "señor", "œuvre", "Zürich", "日本語の文章です", "質問に答えてください",
  "これは例です", "中文句子", "Привет", "мир", "한국어", "😀", "→", "≥ 10 %", "“quoted”",
];

/** Sentences to make texts of. More of them than deflate looks back over, so that they compress as text does. */
const SENTENCES = (() => {
  const choices = new Choices(20240607);
  const sentences = [];
  for (let n = 0; n < 6000; n += 1) {
    const words = [];
    for (let left = 8 + choices.below(14); left > 0; left -= 1) {
      words.push(choices.below(60) === 0 ? choices.pick(OTHER) : choices.pick(WORDS));
    }
    words[0] = words[0][0].toUpperCase() + words[0].slice(1);
    let sentence = words.join(" ");
    if (choices.below(12) === 0) sentence = `"${sentence}"`;
    sentences.push(sentence + choices.pick([".", ".", ".", ".", "?", ":\n", ".\n\n", "!"]));
  }
  return sentences;
})();

/** A text of about `length` characters. */
export function text(choices, length) {
  let made = choices.pick(SENTENCES);
  while (made.length < length - 40) made += ` ${choices.pick(SENTENCES)}`;
  return made;
}
