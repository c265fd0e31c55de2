import { init } from "evalcheck";

const schema = { type: "object", required: ["question", "answer"] };
const { checkText } = await init({ schemas: true });
console.log(checkText('{"question": "Why?"}\n', { schema }).counts.errors);
