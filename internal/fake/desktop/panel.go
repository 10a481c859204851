package desktop

import (
	"maps"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
)

const (
	watcherName = "org.kde.StatusNotifierWatcher"
	watcherPath = "/StatusNotifierWatcher"
	itemName    = "org.kde.StatusNotifierItem"
	menuName    = "com.canonical.dbusmenu"
)

// record is what the panel has seen since Start or the last Forget.
type record struct {
	signals map[string]int // by member: NewIcon, LayoutUpdated, …
	labels  []LabelChange
	last    map[int32]string // label by item
	applied int              // registrations
}

// LabelChange is one new text of one menu item, as the panel was told.
type LabelChange struct {
	Item  int32
	Label string
	At    time.Time
}

// panel is a StatusNotifierWatcher with a host: what a panel with a tray is.
type panel struct {
	d     *Desktop
	conn  *dbus.Conn
	props *prop.Properties
	// guarded by Desktop.mu
	item string // the bus name of the one that registered last; "" for none
	path dbus.ObjectPath
}

// StartPanel starts a panel that shows icons.
func (d *Desktop) StartPanel() { d.t.Helper(); d.startPanel(true) }

// StartWatcher starts the half of a panel that takes registrations, with nobody to
// show the icons before RegisterHost.
func (d *Desktop) StartWatcher() { d.t.Helper(); d.startPanel(false) }

func (d *Desktop) startPanel(shows bool) {
	d.t.Helper()
	p := &panel{d: d, conn: d.connect()}
	d.mu.Lock()
	d.panel = p
	d.mu.Unlock()
	if err := p.serve(shows); err != nil {
		d.t.Fatalf("panel: %v", err)
	}
}

// serve exports the watcher before it takes the name that programs wait for.
func (p *panel) serve(shows bool) error {
	if err := p.conn.Export(p, watcherPath, watcherName); err != nil {
		return err
	}
	var err error
	p.props, err = prop.Export(p.conn, watcherPath, prop.Map{watcherName: {
		"RegisteredStatusNotifierItems":  {Value: []string{}, Emit: prop.EmitTrue},
		"IsStatusNotifierHostRegistered": {Value: shows, Emit: prop.EmitTrue},
		"ProtocolVersion":                {Value: int32(0), Emit: prop.EmitTrue},
	}})
	if err != nil {
		return err
	}
	signals := make(chan *dbus.Signal, 4096)
	p.conn.Signal(signals)
	for _, name := range []string{itemName, menuName} {
		if err := p.conn.AddMatchSignal(dbus.WithMatchInterface(name)); err != nil {
			return err
		}
	}
	go p.listen(signals)
	_, err = p.conn.RequestName(watcherName, dbus.NameFlagDoNotQueue)
	return err
}

// RegisterHost makes a watcher into a full panel.
func (d *Desktop) RegisterHost() {
	d.t.Helper()
	d.mu.Lock()
	p := d.panel
	d.mu.Unlock()
	p.props.SetMust(watcherName, "IsStatusNotifierHostRegistered", true)
	if err := p.conn.Emit(watcherPath, watcherName+".StatusNotifierHostRegistered"); err != nil {
		d.t.Fatal(err)
	}
}

// StopPanel ends the panel, if there is one. Programs see its name go.
func (d *Desktop) StopPanel() {
	d.mu.Lock()
	p := d.panel
	d.panel = nil
	d.mu.Unlock()
	if p != nil {
		p.conn.Close()
	}
}

// RegisterStatusNotifierItem is called by the program under test.
func (p *panel) RegisterStatusNotifierItem(sender dbus.Sender, service string) *dbus.Error {
	path := dbus.ObjectPath("/StatusNotifierItem")
	if strings.HasPrefix(service, "/") {
		path = dbus.ObjectPath(service)
	}
	p.props.SetMust(watcherName, "RegisteredStatusNotifierItems", []string{string(sender) + string(path)})
	_ = p.conn.Emit(watcherPath, watcherName+".StatusNotifierItemRegistered", string(sender)+string(path))
	go p.adopt(string(sender), path)
	return nil
}

// RegisterStatusNotifierHost is part of the interface; the panel is its own host.
func (p *panel) RegisterStatusNotifierHost(string) *dbus.Error { return nil }

// adopt reads the menu once, as panels do, and only then counts the item as there:
// the first answer of some programs has no submenus.
func (p *panel) adopt(sender string, path dbus.ObjectPath) {
	_, _ = layout(p.conn, sender)
	p.d.update(func() {
		p.item, p.path = sender, path
		p.d.seen.applied++
	})
}

// listen records what the item tells, and its end.
func (p *panel) listen(signals <-chan *dbus.Signal) {
	for s := range signals {
		member := s.Name[strings.LastIndexByte(s.Name, '.')+1:]
		p.d.update(func() {
			r := &p.d.seen
			if r.signals == nil {
				r.signals, r.last = map[string]int{}, map[int32]string{}
			}
			r.signals[member]++
			if member == "ItemsPropertiesUpdated" && len(s.Body) > 0 {
				r.relabel(s.Body[0])
			}
		})
	}
}

// relabel records the labels in the body of ItemsPropertiesUpdated that are new.
func (r *record) relabel(body any) {
	var items []struct {
		ID    int32
		Props map[string]dbus.Variant
	}
	if dbus.Store([]any{body}, &items) != nil {
		return
	}
	for _, it := range items {
		label, ok := it.Props["label"].Value().(string)
		if ok && label != r.last[it.ID] {
			r.last[it.ID] = label
			r.labels = append(r.labels, LabelChange{it.ID, label, time.Now()})
		}
	}
}

// AwaitIcon waits until a program has put an icon into the present panel.
func (d *Desktop) AwaitIcon() {
	d.t.Helper()
	d.Await("an icon in the tray", func() bool { item, _ := d.item(); return item != nil })
}

// item is the icon in the present panel, or nil.
func (d *Desktop) item() (dbus.BusObject, *dbus.Conn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.panel == nil || d.panel.item == "" {
		return nil, nil
	}
	return d.panel.conn.Object(d.panel.item, d.panel.path), d.panel.conn
}

// Property reads a property of the icon: Title, Id, Status, ToolTip, IconPixmap.
func (d *Desktop) Property(name string) any {
	d.t.Helper()
	item, _ := d.item()
	if item == nil {
		d.t.Fatal("there is no icon in the tray")
	}
	v, err := item.GetProperty(itemName + "." + name)
	if err != nil {
		d.t.Fatalf("property %s of the icon: %v", name, err)
	}
	return v.Value()
}

// Signals counts what the program has told the panel, by the signal's name:
// NewIcon, NewToolTip, LayoutUpdated, ItemsPropertiesUpdated.
func (d *Desktop) Signals() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.seen.signals)
}

// LabelChanges are the new labels that the panel was told, in their order.
func (d *Desktop) LabelChanges() []LabelChange {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]LabelChange(nil), d.seen.labels...)
}

// Registrations counts how often a program has put its icon into a panel.
func (d *Desktop) Registrations() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.seen.applied
}

// Forget starts Signals, LabelChanges and Registrations anew.
func (d *Desktop) Forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := d.seen.last
	d.seen = record{signals: map[string]int{}, last: last}
	if last == nil {
		d.seen.last = map[int32]string{}
	}
}
