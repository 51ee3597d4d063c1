import type { SettingsFacts } from "./types";
import { SignatureForm } from "./SignatureForm";
import { VacationForm } from "./VacationForm";

export default function General({ facts }: { facts: SettingsFacts }) {
  return (
    <>
      <SignatureForm address={facts.address} />
      <VacationForm vacation={facts.vacation} />
    </>
  );
}
