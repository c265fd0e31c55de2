import { init } from "evalcheck";

const { checkText } = await init();
console.log(checkText('{"input": {}}\n', { format: "juryarena" }).counts.errors);
