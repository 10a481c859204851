package monitor_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/deliver"
	"notifio.app/notifio/monitor/store"
)

// world is a monitor in a synctest bubble, with a portal that shows what the
// test says, an inbox that can be down, a desktop, and a real ledger on disk.
type world struct {
	t        *testing.T
	dir      string
	portal   *portal
	inbox    *inbox
	desk     *desk
	notifier monitor.Notifier // nil: desk
	landlord *landlord        // nil: nobody is replied to
	lines    *lines
	settings monitor.Settings
	timing   monitor.Timing
	offset   time.Duration // of the wall clock from the bubble's
	lookup   func(context.Context) error
	damage   func()              // done to the data folder at the next restart
	disk     func(ledger) ledger // nil: the ledger as it is
	atLogin  bool                // the system starts the program, not its user
	seed     uint64              // of what the monitor draws

	mon        *monitor.Monitor
	teller     *deliver.Teller
	mu         sync.Mutex
	views      []monitor.View
	deliveries monitor.Deliveries // as last published
	ledger     *store.Store
	look       func(monitor.View) // nil, or it looks at each view of the monitor
	quit       func()

	running sync.WaitGroup
}

// ledger is what the machines share.
type ledger interface {
	monitor.Ledger
	deliver.Ledger
}

// in runs a story in a bubble, with its data in a folder of its own.
func in(t *testing.T, story func(t *testing.T, w *world)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, dir)
		defer w.stop()
		story(t, w)
	})
}

func newWorld(t *testing.T, dir string) *world {
	w := &world{
		t: t, dir: dir, timing: monitor.DefaultTiming(),
		portal: &portal{pages: map[string]monitor.Page{}, took: map[string]time.Duration{}, idle: make(chan struct{}, 1000)},
		inbox:  &inbox{}, desk: &desk{}, lines: &lines{},
	}
	w.settings = monitor.Settings{
		Interval: 30 * time.Second, Jitter: 5 * time.Second, Lanes: 3, Banners: true,
		Destinations: mailTo(w.inbox, "me@example.org"),
	}
	return w
}

// mailTo are people who are told through one mail server.
func mailTo(c monitor.Courier, addresses ...string) []monitor.Destination {
	var out []monitor.Destination
	for _, a := range addresses {
		out = append(out, monitor.Destination{Name: a, Account: "mail", Courier: c})
	}
	return out
}

// byBanner is nobody but the desktop.
var byBanner = []monitor.Destination{{Name: monitor.BannerRecipient}}

// search adds a search to the file; all of them are on the host in its URL.
func (w *world) search(name, url string, edit ...func(*monitor.Search)) {
	s := monitor.Search{Name: name, URL: url, Enabled: true, PriceDrops: true}
	for _, e := range edit {
		e(&s)
	}
	w.settings.Searches = append(slices.Clone(w.settings.Searches), s)
}

// edit changes one search in the file and lets the monitor know.
func (w *world) edit(name string, change func(*monitor.Search)) {
	w.settings.Searches = slices.Clone(w.settings.Searches)
	for i := range w.settings.Searches {
		if w.settings.Searches[i].Name == name {
			change(&w.settings.Searches[i])
		}
	}
	w.reload()
}

func (w *world) reload() {
	w.mon.Reload(w.settings)
	w.teller.Reload(w.settings)
	synctest.Wait()
}

func maxPrice(limit float64) func(*monitor.Search) {
	return func(s *monitor.Search) { s.Filter.MaxPrice = limit }
}

func newestFirst(s *monitor.Search) { yes := true; s.NewestFirst = &yes }

// start runs the monitor on what the folder holds.
func (w *world) start() {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	opened, err := store.Open(ctx, w.dir, w.wall())
	if err != nil {
		w.t.Fatal(err)
	}
	w.ledger = opened.Store
	desk := w.notifier
	if desk == nil {
		desk = w.desk
	}
	w.run(ctx, cancel, opened.Memory, desk)
}

// run starts both machines on a ledger.
func (w *world) run(ctx context.Context, cancel func(), memory monitor.Memory, desk monitor.Notifier) {
	ledger, log := w.onDisk(), slog.New(slog.NewTextHandler(w.lines, nil))
	w.teller = deliver.New(deliver.Options{
		Settings: w.settings, Ledger: ledger, Notifier: desk, Log: log, Timing: w.timing, Wall: w.wall, Publish: w.publishTold,
		Report: func(trouble string) { w.mon.Report("mail", trouble) }, Told: func() { w.mon.Wake() },
	})
	o := monitor.Options{
		Settings: w.settings, Memory: memory, Checker: w.portal, Ledger: ledger, Teller: w.teller, Log: log,
		Publish: w.publish, MailLookup: w.lookup, Timing: w.timing, Wall: w.wall,
		Rand: rand.New(rand.NewPCG(1, 2+w.seed)), AtLogin: w.atLogin,
	}
	if l := w.landlord; l != nil {
		o.Replier, o.Journal, o.Replied, o.HoldReplies = l, l, slices.Clone(l.entries), l.held
	}
	w.mon = monitor.NewMonitor(o)
	w.running.Go(func() { w.teller.Run(ctx) })
	w.running.Go(func() { w.mon.Run(ctx) })
	w.quit = func() { cancel(); w.running.Wait(); synctest.Wait(); w.ledger.Close() }
}

func (w *world) onDisk() ledger {
	if w.disk == nil {
		return w.ledger
	}
	return w.disk(w.ledger)
}

func (w *world) stop() {
	if w.quit != nil {
		w.quit()
		w.quit = nil
	}
}

// restart stops the program and starts it again on the same folder.
func (w *world) restart() {
	w.stop()
	if w.damage != nil {
		w.damage()
		w.damage = nil
	}
	w.portal.drain()
	w.start()
}

func (w *world) wall() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Now().Add(w.offset)
}

// sleepFor lets the machine sleep: its wall clock goes on, nothing else does.
func (w *world) sleepFor(d time.Duration) {
	w.mu.Lock()
	w.offset += d
	w.mu.Unlock()
}

// publish puts what the two machines publish together.
func (w *world) publish(v monitor.View) {
	w.mu.Lock()
	defer w.mu.Unlock()
	v.Deliveries = w.deliveries
	w.views = append(w.views, v)
	if w.look != nil {
		w.look(v)
	}
}

func (w *world) publishTold(d monitor.Deliveries) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deliveries = d
	if n := len(w.views); n > 0 {
		v := w.views[n-1]
		v.Deliveries = d
		w.views = append(w.views, v)
	}
}

// forgetViews keeps the last view only: a month has a hundred thousand.
func (w *world) forgetViews() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.views = w.views[len(w.views)-1:]
}

func (w *world) view() monitor.View {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.views[len(w.views)-1]
}

func (w *world) row(name string) monitor.Row {
	w.t.Helper()
	for _, r := range w.view().Rows {
		if r.Name == name {
			return r
		}
	}
	w.t.Fatalf("no row for %s", name)
	return monitor.Row{}
}

// cycle waits until one more cycle is over, and its mail is out.
func (w *world) cycle() {
	w.t.Helper()
	select {
	case <-w.portal.idle:
	case <-time.After(48 * time.Hour):
		w.t.Fatal("no cycle within two days")
	}
	synctest.Wait()
}

func (w *world) cycles(n int) {
	w.t.Helper()
	for range n {
		w.cycle()
	}
}

// pass lets time go by.
func (w *world) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
	w.portal.drain()
}

// told fails unless exactly these mails have arrived since the last call, those
// with notices alone not counted: each is written as the ids that it names, "21 22".
func (w *world) told(want ...string) {
	w.t.Helper()
	synctest.Wait()
	var got []string
	for _, l := range w.inbox.take() {
		if len(l.Alerts) > 0 {
			got = append(got, strings.Join(idsOf(l.Alerts), " "))
		}
	}
	if !slices.Equal(got, want) {
		w.t.Fatalf("told %q, want %q\n%s", got, want, w.lines.tail())
	}
}

// logged fails unless the activity log has a line with this text.
func (w *world) logged(text string) {
	w.t.Helper()
	if !strings.Contains(w.lines.text(), text) {
		w.t.Fatalf("the log does not say %q:\n%s", text, w.lines.tail())
	}
}

func idsOf(alerts []monitor.Alert) []string {
	var ids []string
	for _, a := range alerts {
		ids = append(ids, a.Listing.ID)
	}
	slices.SortFunc(ids, func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return x - y
	})
	return ids
}

// portal is the outside world that searches look at. Every host shares the ids.
type portal struct {
	mu       sync.Mutex
	pages    map[string]monitor.Page
	took     map[string]time.Duration
	hung     map[string]chan struct{} // checks that do not even mind their context
	errs     map[string][]error       // taken one by one before the page
	requests []request
	inFlight map[string]int // by host
	most     int            // checks in flight at once, the highest
	clash    bool           // two checks of one host at a time
	idle     chan struct{}
	watch    func(s monitor.Search, v monitor.Verdict, began, ended time.Time) // hears each answer
}

type request struct {
	url    string
	at     time.Time
	search monitor.Search
}

func (p *portal) Check(ctx context.Context, s monitor.Search) (monitor.Page, error) {
	p.begin(s)
	defer p.end(s)
	p.mu.Lock()
	took, hung := p.took[s.URL], p.hung[s.URL]
	p.mu.Unlock()
	if hung != nil {
		<-hung
	}
	if took == 0 {
		took = time.Second
	}
	select {
	case <-time.After(took):
	case <-ctx.Done():
		return monitor.Page{}, ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if errs := p.errs[s.URL]; len(errs) > 0 {
		p.errs[s.URL] = errs[1:]
		if errs[0] != nil {
			return monitor.Page{}, errs[0]
		}
	}
	page, ok := p.pages[s.URL]
	if !ok {
		return monitor.Page{}, fmt.Errorf("the test shows nothing at %s", s.URL)
	}
	page.Took = took
	if p.watch != nil {
		p.watch(s, page.Verdict, time.Now().Add(-took), time.Now())
	}
	return page, nil
}

// fail lets the next checks of a search fail without a verdict, one for each error.
func (p *portal) fail(url string, errs ...error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.errs == nil {
		p.errs = map[string][]error{}
	}
	p.errs[url] = append(p.errs[url], errs...)
}

// recover forgets the errors that have not happened yet.
func (p *portal) recover() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.errs = nil
}

// crowd says how many checks were in flight at once at most, and whether two of
// them were of one host.
func (p *portal) crowd() (most int, clash bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.most, p.clash
}

// hang makes the checks of a search wait for release, whatever their context
// says; nil lets them be.
func (p *portal) hang(url string, release chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hung = map[string]chan struct{}{url: release}
}

// slow makes a search's page take its time, or no longer.
func (p *portal) slow(url string, took time.Duration, slow bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.took, url)
	if slow {
		p.took[url] = took
	}
}

func (p *portal) begin(s monitor.Search) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, request{s.URL, time.Now(), s})
	if p.inFlight == nil {
		p.inFlight = map[string]int{}
	}
	p.inFlight[s.Host()]++
	p.clash = p.clash || p.inFlight[s.Host()] > 1
	all := 0
	for _, n := range p.inFlight {
		all += n
	}
	p.most = max(p.most, all)
}

func (p *portal) end(s monitor.Search) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inFlight[s.Host()]--
}

func (p *portal) Rest(context.Context) { p.idle <- struct{}{} }

func (p *portal) drain() {
	for {
		select {
		case <-p.idle:
		default:
			return
		}
	}
}

// asked are the requests since the last call, as URLs.
func (p *portal) asked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var urls []string
	for _, r := range p.requests {
		urls = append(urls, r.url)
	}
	p.requests = nil
	return urls
}

// lastAsked is a search as it was handed over at its last check.
func (p *portal) lastAsked(url string) monitor.Search {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range slices.Backward(p.requests) {
		if r.url == url {
			return r.search
		}
	}
	return monitor.Search{}
}

func (p *portal) at(url string) []time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	var times []time.Time
	for _, r := range p.requests {
		if r.url == url || url == "" {
			times = append(times, r.at)
		}
	}
	return times
}

func (p *portal) set(url string, page monitor.Page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if page.FinalURL == "" {
		page.FinalURL = url
	}
	p.pages[url] = page
}

// home is listing n at an ordinary price.
func home(n int) monitor.Listing { return homeAt(n, 1000+float64(n)) }

func homeAt(n int, price float64) monitor.Listing {
	id := strconv.Itoa(n)
	return monitor.Listing{
		Key: "site:" + id, ID: id, Canonical: "site.example/home/" + id,
		URL: "https://site.example/home/" + id, Title: "Home " + id, Address: "Street " + id,
		Price: monitor.Price{Amount: price, Currency: "EUR", Period: monitor.Month, Text: fmt.Sprintf("€ %g p.m.", price)},
	}
}

// ids is from, from+1, …, to.
func ids(from, to int) []int {
	var ns []int
	for n := from; n <= to; n++ {
		ns = append(ns, n)
	}
	return ns
}

func homes(ns ...int) []monitor.Listing {
	var ls []monitor.Listing
	for _, n := range ns {
		ls = append(ls, home(n))
	}
	return ls
}

func results(ls ...monitor.Listing) monitor.Page {
	return monitor.Page{Verdict: monitor.Results, Reason: "a results page", Status: 200, LinkPattern: "/home/*", Listings: ls}
}

// of says how many results the page counts.
func of(total int, p monitor.Page) monitor.Page { p.Total = total; return p }

func empty() monitor.Page {
	return monitor.Page{Verdict: monitor.Empty, Reason: "says 0 results", Status: 200}
}

func refused(after time.Duration) monitor.Page {
	return monitor.Page{Verdict: monitor.Refused, Reason: "answered 429", Status: 429, RetryAfter: after}
}

func timeout() monitor.Page {
	return monitor.Page{Verdict: monitor.Failed, Reason: "no answer within 25 s"}
}

func unreachable() monitor.Page {
	return monitor.Page{Verdict: monitor.Failed, Reason: "the name does not resolve", Unreachable: true}
}

func signedOut() monitor.Page {
	return monitor.Page{Verdict: monitor.SignedOut, Reason: "a login page", Status: 200}
}

func strayed() monitor.Page {
	return monitor.Page{Verdict: monitor.NotResults, Reason: "another page", Status: 200}
}

// show puts homes on a search's page.
func (w *world) show(url string, ns ...int) { w.portal.set(url, results(homes(ns...)...)) }

// inbox is the recipient's side of the mail.
type inbox struct {
	mu      sync.Mutex
	fail    error // of every delivery
	attempt int
	letters []monitor.Letter
	seal    bool // hand the bytes over before failing
	took    time.Duration
	inTouch []time.Time // of every attempt
}

var errMailDown = errors.New("mail.example.org:587: no answer within 30s")

func (i *inbox) Deliver(ctx context.Context, l monitor.Letter, seal func([]byte) error) error {
	i.mu.Lock()
	fail, sealFirst, took := i.fail, i.seal, i.took
	i.attempt++
	i.inTouch = append(i.inTouch, time.Now())
	i.mu.Unlock()
	if took > 0 {
		select {
		case <-time.After(took):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if fail != nil && !sealFirst {
		return fail
	}
	if l.Raw == nil {
		l.Raw = []byte("Message-ID: " + l.ID)
		if err := seal(l.Raw); err != nil {
			return err
		}
	}
	if fail != nil {
		return fail
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.letters = append(i.letters, l)
	return nil
}

func (i *inbox) down() { i.failing(errMailDown) }
func (i *inbox) up()   { i.failing(nil) }

func (i *inbox) failing(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.fail = err
}

// failingSealed fails after the bytes were handed over: nobody knows whether they
// arrived.
func (i *inbox) failingSealed(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.fail, i.seal = err, true
}

func (i *inbox) take() []monitor.Letter {
	i.mu.Lock()
	defer i.mu.Unlock()
	letters := i.letters
	i.letters = nil
	return letters
}

func (i *inbox) attempts() []time.Time {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.inTouch)
}

// desk collects banners.
type desk struct {
	mu      sync.Mutex
	banners []monitor.Banner
}

func (d *desk) Notify(b monitor.Banner) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.banners = append(d.banners, b)
}

func (d *desk) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var titles []string
	for _, b := range d.banners {
		titles = append(titles, b.Title)
	}
	d.banners = nil
	return titles
}

// lines is the activity log.
type lines struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *lines) tail() string {
	all := strings.Split(l.text(), "\n")
	return strings.Join(all[max(0, len(all)-25):], "\n")
}
