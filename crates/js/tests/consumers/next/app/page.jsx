import { Dropped } from "./dropped";

export default function Page() {
  return <Dropped />;
}
