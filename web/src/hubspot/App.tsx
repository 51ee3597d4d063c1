import { lazy, Suspense, useState } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";

import { useShortcuts } from "../kit/keys";
import { Empty, Waiting } from "../kit/parts";
import { FactsContext, typeOf, useFacts, useFreshFacts } from "./crm";
import { Nav } from "./Nav";
import { usePlaces } from "./place";
import { RecordPage } from "./record/RecordPage";
import { ShortcutHelp } from "./ShortcutHelp";
import classes from "./shell.module.css";
import { IndexPage } from "./table/IndexPage";
import { TopBar } from "./TopBar";

const Tasks = lazy(() => import("./Tasks"));
const Lists = lazy(() => import("./lists/Lists"));
const ListPage = lazy(() => import("./lists/ListPage"));
const PropertySettings = lazy(() => import("./settings/Properties"));
const PipelineSettings = lazy(() => import("./settings/Pipelines"));
const Users = lazy(() => import("./settings/Users"));
const Reports = lazy(() => import("./Reports"));
const SearchPage = lazy(() => import("./SearchPage"));

export function App() {
  const facts = useFreshFacts();
  return (
    <FactsContext value={facts}>
      <Frame />
    </FactsContext>
  );
}

function Frame() {
  const places = usePlaces();
  const [, navigate] = useLocation();
  const [narrow, setNarrow] = useState(false);
  const [help, setHelp] = useState(false);
  useShortcuts({
    "/": () => document.querySelector<HTMLInputElement>("#search")?.focus(),
    "?": () => setHelp(true),
    "g c": () => navigate(places.index("contacts")),
    "g o": () => navigate(places.index("companies")),
    "g d": () => navigate(places.index("deals")),
    "g t": () => navigate(places.index("tickets")),
    "g k": () => navigate(places.tasks("today")),
    "g l": () => navigate(places.lists()),
    "g r": () => navigate(places.reports()),
  });
  return (
    <div className={classes.app}>
      <a
        className="kit-skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("content")?.focus();
        }}
      >
        Skip to content
      </a>
      <TopBar onHelp={() => setHelp(true)} onMenu={() => setNarrow(!narrow)} />
      <div className={classes.body}>
        <Nav narrow={narrow} />
        <main className={classes.main} id="content" tabIndex={-1}>
          <Suspense fallback={<Waiting what="the page" />}>
            <Pages />
          </Suspense>
        </main>
      </div>
      <ShortcutHelp opened={help} onClose={() => setHelp(false)} />
    </div>
  );
}

function Pages() {
  const facts = useFacts();
  const places = usePlaces();
  return (
    <Switch>
      <Route path="/contacts/:portal/objects/:type/views/:view/:shape">
        {({ type, view, shape }) => {
          const found = typeOf(facts, type);
          if (found === undefined) return <Missing />;
          return <IndexPage key={found.key} type={found} view={view} shape={shape === "board" ? "board" : "list"} />;
        }}
      </Route>
      <Route path="/contacts/:portal/objects/:type">
        {({ type }) => <Redirect to={places.index(typeOf(facts, type)?.key ?? "contacts")} replace />}
      </Route>
      <Route path="/contacts/:portal/record/:type/:id/view/:tab">
        {({ type, id, tab }) => <OneRecord type={type} id={id} tab={tab} />}
      </Route>
      <Route path="/contacts/:portal/record/:type/:id">{({ type, id }) => <OneRecord type={type} id={id} tab="" />}</Route>
      <Route path="/contacts/:portal/objectLists/all">
        <Lists />
      </Route>
      <Route path="/contacts/:portal/objectLists/:list">{({ list }) => <ListPage key={list} id={list} />}</Route>
      <Route path="/tasks/:portal/view/:tab">{({ tab }) => <Tasks tab={tab} />}</Route>
      <Route path="/property-settings/:portal/:tab">{({ tab }) => <PropertySettings tab={tab} />}</Route>
      <Route path="/pipelines-settings/:portal/object/:type/:pipeline?">
        {({ type, pipeline }) => (
          <PipelineSettings type={typeOf(facts, type)?.key === "tickets" ? "tickets" : "deals"} pipeline={decodeURIComponent(pipeline ?? "")} />
        )}
      </Route>
      <Route path="/settings/:portal/users">
        <Users />
      </Route>
      <Route path="/reports-dashboard/:portal/view">
        <Reports />
      </Route>
      <Route path="/search/:portal">
        <SearchPage />
      </Route>
      <Route path="/">
        <Redirect to={places.index("contacts")} replace />
      </Route>
      <Route path="/contacts/:portal?">
        <Redirect to={places.index("contacts")} replace />
      </Route>
      <Route>
        <Missing />
      </Route>
    </Switch>
  );
}

function OneRecord({ type, id, tab }: { type: string; id: string; tab: string }) {
  const found = typeOf(useFacts(), type);
  return found === undefined ? <Missing /> : <RecordPage key={`${found.key}/${id}`} type={found} id={id} tab={tab} />;
}

function Missing() {
  return (
    <>
      <h1 className={classes.hidden}>Page not found</h1>
      <Empty title="There is no page at this address">Choose a place on the left, or search at the top.</Empty>
    </>
  );
}
