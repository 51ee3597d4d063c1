import { useLocation } from "wouter";

import { api } from "../kit/api";
import { queries } from "../kit/boot";
import { complain, toast } from "../kit/toast";
import { BookView } from "./BookView";
import { Home, make } from "./Home";

const HOME = "/spreadsheets/";

export function App() {
  const [path, navigate] = useLocation();
  const id = /^\/spreadsheets(?:\/u\/\d+)?\/d\/([\w-]+)/.exec(path)?.[1];
  const open = (file: string) => navigate(`/spreadsheets/d/${file}/edit`);
  const home = () => {
    document.title = "Sheets";
    navigate(HOME);
  };
  const trash = async (file: string, title: string) => {
    const set = async (trashed: boolean) => {
      await api.patch(`/files/${file}`, { trashed });
      await queries.invalidateQueries({ queryKey: ["files"] });
    };
    try {
      await set(true);
      home();
      toast(`“${title}” was moved to the trash.`, [{ label: "Undo", run: () => set(false).catch(complain) }]);
    } catch (error) {
      complain(error);
    }
  };
  const start = async () => {
    const made = await make("");
    if (made !== null) open(made);
  };
  if (id === undefined) return <Home onOpen={open} onTrash={(file, title) => void trash(file, title)} />;
  return <BookView key={id} id={id} onHome={home} onNew={() => void start()} onTrash={(file, title) => void trash(file, title)} />;
}
